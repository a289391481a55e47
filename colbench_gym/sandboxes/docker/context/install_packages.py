"""While the image is built: put what programs may import into one folder, unless the base brought it along."""

import os
import subprocess
import sys
from pathlib import Path

TARGET = "/opt/packages"

if not Path(TARGET).is_dir():
    pip = [sys.executable, "-m", "pip", "install", "--no-cache-dir", "--disable-pip-version-check", "--quiet"]
    subprocess.run([*pip, "--target", TARGET, *os.environ["PACKAGES"].split()], check=True)
subprocess.run([sys.executable, "-m", "compileall", "-q", "--invalidation-mode", "unchecked-hash", TARGET], check=False)
