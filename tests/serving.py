"""`tradekit app` in a process of its own, as a person starts it."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager

import psutil


@contextmanager
def served(home, *options):
    """Serve the pages, with options of `tradekit app`; yields their address, and the process."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    voila = "--no-browser", "--Voila.ip=127.0.0.1", f"--port={port}"
    split = options.index("--") if "--" in options else len(options)
    command = [sys.executable, "-m", "tradekit", "app", *options[:split], "--", *voila, *options[split + 1 :]]
    env = os.environ | {"JUPYTER_RUNTIME_DIR": str(home / "runtime"), "JUPYTER_CONFIG_DIR": str(home / "config")}
    log = home / "log"
    with log.open("wb") as out:
        process = subprocess.Popen(command, cwd=home, env=env, stdout=out, stderr=subprocess.STDOUT)
    url = f"http://127.0.0.1:{port}/"
    try:
        end = time.monotonic() + 60
        while True:
            try:
                urllib.request.urlopen(url, timeout=10).close()
                break
            except OSError:
                assert process.poll() is None and time.monotonic() < end, log.read_text()[-3000:]
                time.sleep(0.25)
        yield url, psutil.Process(process.pid)
    finally:
        process.terminate()
        process.wait(30)


def kernels(process):
    """Return the kernels of a server that are alive."""
    found = []
    for child in process.children(recursive=True):
        try:
            if child.status() != psutil.STATUS_ZOMBIE and "ipykernel_launcher" in " ".join(child.cmdline()):
                found.append(child)
        except psutil.NoSuchProcess:
            pass
    return found
