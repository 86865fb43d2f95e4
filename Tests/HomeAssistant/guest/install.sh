# Inside the root: Home Assistant with the integrations that it always loads, MQTT, recorder, history, and the frontend.
set -e
version=$1
[ -x /opt/ha/bin/python ] || python3 -m venv /opt/ha
[ -x /opt/ha/bin/uv ] || /opt/ha/bin/pip install -q uv
mkdir -p /opt/download
cd /opt/download
wheel=homeassistant-$version-py3-none-any.whl
[ -e "$wheel" ] || /opt/ha/bin/pip download -q --no-deps -d . "homeassistant==$version"
# pip alone gives up on its requirements; with Home Assistant's own constraints uv resolves them in seconds.
/opt/ha/bin/python /opt/hatest/requirements.py "$wheel" constraints.txt needed.txt optional.txt
/opt/ha/bin/uv pip install --python /opt/ha/bin/python -c constraints.txt "./$wheel" -r needed.txt
while read -r package; do
    [ -z "$package" ] || /opt/ha/bin/uv pip install -q --python /opt/ha/bin/python --only-binary :all: -c constraints.txt "$package" \
        || echo "left out: $package"
done <optional.txt
# Two packages of the voice assistant have no wheels, and there is no compiler here. Never called, but without the modules the list
# of services cannot be made: empty stand-ins keep the rest of Home Assistant as it is shipped.
site=$(/opt/ha/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
/opt/ha/bin/python -c 'import pymicro_vad' 2>/dev/null || echo 'class MicroVad: pass' >"$site/pymicro_vad.py"
/opt/ha/bin/python -c 'import pyspeex_noise' 2>/dev/null || echo 'class AudioProcessor: pass' >"$site/pyspeex_noise.py"
