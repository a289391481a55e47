"""A sandbox that passes everything on and keeps what ran."""

import threading

from colbench_gym.sandboxes import CallOutcome, Program, Sandbox


class CountingSandbox:
    """Passes everything on, and keeps the programs."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.sandbox = sandbox
        self.lock = threading.Lock()
        self.programs: list[Program] = []

    def run(self, program: Program) -> tuple[CallOutcome, ...]:
        with self.lock:
            self.programs.append(program)
        return self.sandbox.run(program)

    def close(self) -> None:
        self.sandbox.close()
