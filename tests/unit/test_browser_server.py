"""The server of a browser's page, over HTTP."""

import http.client

import pytest

from worker.browser.server import Server


@pytest.fixture(scope="module")
def ask(tmp_path_factory):
    """The status and the body of a path's answer; the server offers the folder offered as /page."""
    folder = tmp_path_factory.mktemp("server")
    (folder / "offered/below").mkdir(parents=True)
    (folder / "offered/index.js").write_text("offered")
    (folder / "secret.txt").write_text("secret")
    served = Server({"page": folder / "offered"})

    def answer_of(path):
        host = served.address.removeprefix("http://")
        connection = http.client.HTTPConnection(host)
        connection.request("GET", path)
        answer = connection.getresponse()
        status_and_content = answer.status, answer.read()
        connection.close()
        return status_and_content

    yield answer_of
    served.server.shutdown()


def test_it_offers_the_files_of_its_folders(ask):
    assert ask("/page/index.js?new") == (200, b"offered")


@pytest.mark.parametrize(
    "path",
    ["/page/../secret.txt", "/page/%2e%2e/secret.txt", "/page//etc/hostname", "/page/below/", "/x"],
)
def test_it_offers_nothing_else(ask, path):
    assert ask(path)[0] == 404
