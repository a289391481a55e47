"""The command line under FSDP or DeepSpeed on processors, which accelerate keeps for GPUs: python FILE train …"""

import os
import sys

import torch.distributed
from accelerate import PartialState
from accelerate.utils import DistributedType

from colbench_gym.cli import main

if __name__ == "__main__":
    os.environ["ACCELERATE_TORCH_DEVICE"] = "cpu"
    PartialState._prepare_backend = lambda self, cpu=False, *_: ("gloo", DistributedType.MULTI_GPU)
    PartialState.set_device = lambda self: None
    torch.distributed.init_process_group("gloo")
    main(sys.argv[1:])
