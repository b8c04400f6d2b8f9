#!/usr/bin/env bash
# Makes an authority and certificates for trials: infra/certificates.sh FOLDER NAME...
#
# NAME.pem and NAME.key are valid for 90 days and for the host names NAME and localhost. A second run renews them with
# the authority (ca.pem, ca.key) that is there. Keep ca.key where no service can read it.
set -euo pipefail
(($# > 1)) || { sed -n '2,5s/^# \?//p' "$0" >&2; exit 2; }
folder=$1
shift
umask 077
mkdir -p "$folder"
cd "$folder"
new_key=(-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes)

if [[ ! -e ca.key ]]; then
  openssl req -x509 "${new_key[@]}" -days 3650 -subj /CN=battlesnake -keyout ca.key -out ca.pem 2>/dev/null
fi
for name in "$@"; do
  openssl req "${new_key[@]}" -subj "/CN=$name" -keyout "$name.key.new" -out "$name.csr" 2>/dev/null
  openssl x509 -req -in "$name.csr" -CA ca.pem -CAkey ca.key -CAcreateserial -days 90 -out "$name.pem.new" \
    -extfile <(echo "subjectAltName=DNS:$name,DNS:localhost") 2>/dev/null
  mv "$name.key.new" "$name.key"
  mv "$name.pem.new" "$name.pem"
  rm "$name.csr"
  echo "$folder/$name.pem"
done
