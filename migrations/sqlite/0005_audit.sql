-- Every correction that an operator makes, in the same transaction as the correction. Rows are only
-- added. A subject is a kind and an id, such as "pet 7", hence no reference.
-- "IS NULL OR": the integrity check of SQLite 3.40 takes NULL for a failed check.
CREATE TABLE audit (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  created_at INTEGER NOT NULL,
  action     TEXT    NOT NULL,
  subject    TEXT    NOT NULL,
  old_value  TEXT    CHECK (old_value IS NULL OR json_valid(old_value)), -- NULL if there was none
  new_value  TEXT    CHECK (new_value IS NULL OR json_valid(new_value)), -- NULL if there is none any more
  command    TEXT    NOT NULL
) STRICT;

-- An operator can remove a pet. Its idempotency key stays, so that a late retry does not create the
-- pet again: hence pet_id no longer references pets. SQLite can drop a reference only with its table.
CREATE TABLE new_idempotency_keys (
  account_id  INTEGER NOT NULL REFERENCES accounts (id),
  key         TEXT    NOT NULL,
  fingerprint TEXT    NOT NULL,
  pet_id      INTEGER NOT NULL,
  created_at  INTEGER NOT NULL,
  PRIMARY KEY (account_id, key)
) STRICT, WITHOUT ROWID;

INSERT INTO new_idempotency_keys SELECT account_id, key, fingerprint, pet_id, created_at
  FROM idempotency_keys ORDER BY account_id, key;
DROP TABLE idempotency_keys;
ALTER TABLE new_idempotency_keys RENAME TO idempotency_keys;
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);
