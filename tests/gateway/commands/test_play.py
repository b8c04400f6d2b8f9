"""The command `play`, as a process."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from tests.support.services import ROOT, clean_environment, free_port

PATIENCE = 60.0


def test_play_opens_the_console(compiled: None, tmp_path: Path) -> None:
    """In the browser that BROWSER names, as soon as its port answers; Ctrl-C ends the snake."""
    opened = tmp_path / "opened"
    browser = tmp_path / "browser"
    browser.write_text(f'#!{shutil.which("sh")}\necho "$1" > {opened}\n')
    browser.chmod(0o755)
    port, admin = free_port(), f"127.0.0.1:{free_port()}"
    process = subprocess.Popen(
        [sys.executable, "-m", "gateway", "play", "--port", str(port), "--admin", admin],
        cwd=ROOT,
        env=clean_environment() | {"BROWSER": f"{browser} %s", "HOME": os.fspath(tmp_path)},
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        deadline = time.monotonic() + PATIENCE
        while not (opened.exists() and opened.read_text()) and time.monotonic() < deadline:
            time.sleep(0.1)
        assert opened.read_text() == f"http://{admin}/\n"
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 0
    finally:
        process.kill()
        process.communicate()
