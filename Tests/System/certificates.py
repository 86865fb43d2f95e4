"""Certificates for tests: an authority of our own and what it signs, made with the openssl command."""
import pathlib
import subprocess

CONFIG = """
[ca]
default_ca = authority
[authority]
database = {folder}/index
serial = {folder}/serial
new_certs_dir = {folder}
certificate = {folder}/ca.crt
private_key = {folder}/ca.key
default_md = sha256
policy = anything
unique_subject = no
copy_extensions = copy
[anything]
commonName = supplied
[req]
distinguished_name = none
[none]
"""


def openssl(*arguments):
    subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True)


class Authority:
    def __init__(self, folder, name):
        self.folder = pathlib.Path(folder) / name
        self.folder.mkdir()
        self.folder.chmod(0o755)
        (self.folder / "index").touch()
        (self.folder / "serial").write_text("01\n")
        (self.folder / "config").write_text(CONFIG.format(folder=self.folder))
        self.certificate = self.folder / "ca.crt"
        openssl("req", "-x509", "-newkey", "rsa:2048", "-noenc", "-days", 3650, "-subj", f"/CN={name}",
                "-addext", "basicConstraints=critical,CA:TRUE", "-addext", "keyUsage=critical,keyCertSign",
                "-keyout", self.folder / "ca.key", "-out", self.certificate)

    def issue(self, name, alternative=None, start="20200101000000Z", end="20900101000000Z"):
        """(certificate, key) for a name; `alternative` is a subjectAltName, `DNS:` and the name where not given."""
        certificate, key = self.folder / f"{name}.crt", self.folder / f"{name}.key"
        request = self.folder / f"{name}.csr"
        openssl("req", "-new", "-newkey", "rsa:2048", "-noenc", "-subj", f"/CN={name}", "-keyout", key,
                "-addext", f"subjectAltName={alternative or 'DNS:' + name}", "-out", request)
        openssl("ca", "-batch", "-notext", "-config", self.folder / "config", "-startdate", start, "-enddate", end,
                "-in", request, "-out", certificate)
        key.chmod(0o644)
        return certificate, key


def self_signed(folder, name):
    certificate, key = pathlib.Path(folder) / f"{name}.crt", pathlib.Path(folder) / f"{name}.key"
    openssl("req", "-x509", "-newkey", "rsa:2048", "-noenc", "-days", 3650, "-subj", f"/CN={name}",
            "-addext", f"subjectAltName=DNS:{name}", "-keyout", key, "-out", certificate)
    return certificate, key
