"""``python -m colbench_gym`` is ``colbench``."""

from colbench_gym.cli import main

if __name__ == "__main__":
    main()
