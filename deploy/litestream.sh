#!/bin/sh
# Runs Animal Store and Litestream, which end together. docs/operations.md#continuous-backup explains how to use this.
export STORE="${DATABASE_URL#sqlite:}"

# Litestream 0.5.17 may miss changes that were made while it was not running. It then continues as if nothing had
# happened, and a restore is damaged. If the log (-wal) is new, Litestream copies the whole store instead. When the only
# program that uses a store closes it, SQLite moves the log into the store and deletes it.
[ ! -e "$STORE-wal" ] || animal-store accounts list >/dev/null
if [ -e "$STORE-wal" ]; then
  echo "Another program uses $STORE, perhaps for a backup. Animal Store starts when that program has ended." >&2
  exit 1
fi
exec litestream replicate -exec 'animal-store serve'
