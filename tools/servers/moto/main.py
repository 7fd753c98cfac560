"""moto's own server, made to carry out one request after another.

By itself it looks whether a condition holds and writes the row in two steps, and other requests run in between: of two
conditional puts of one row at once both may succeed, which DynamoDB never lets happen.
"""

import io
import sys
from threading import Lock

from moto.moto_server.werkzeug_app import (
    DomainDispatcherApplication,
    MotoRequestHandler,
    create_backend_app,
)
from werkzeug.serving import run_simple

moto = DomainDispatcherApplication(create_backend_app)
turn = Lock()


def one_after_another(environ, start_response):
    # Whoever sends slowly, or stops in the middle, must not keep the others waiting.
    size = int(environ.get("CONTENT_LENGTH") or 0)
    environ["wsgi.input"] = io.BytesIO(environ["wsgi.input"].read(size))
    with turn:
        return list(moto(environ, start_response))


# Requests wait for each other anyway; to change between threads in the midst of one costs a busy machine as much again.
sys.setswitchinterval(1)

host, port = sys.argv[1:]
run_simple(host, int(port), one_after_another, threaded=True, request_handler=MotoRequestHandler)
