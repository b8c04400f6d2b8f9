# Starts Debian's PostgreSQL as the official image does: with a superuser, a database and a password by its environment.
PATH=$(echo /usr/lib/postgresql/*/bin):$PATH
data=/var/lib/postgresql/data/cluster
echo "$POSTGRES_PASSWORD" > /tmp/password
initdb --pgdata "$data" --username "$POSTGRES_USER" --pwfile /tmp/password --auth-local trust --auth-host scram-sha-256 > /dev/null
echo "host all all all scram-sha-256" >> "$data/pg_hba.conf"
echo "CREATE DATABASE $POSTGRES_DB;" | postgres --single -D "$data" postgres > /dev/null
exec postgres -D "$data" -c listen_addresses='*' -c unix_socket_directories=/tmp
