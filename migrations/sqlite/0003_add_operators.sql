-- The last request that was refused with a key, and its error code. last_at is now the last accepted request, or 0 if
-- there is none.
ALTER TABLE key_uses ADD COLUMN refused_at INTEGER;
ALTER TABLE key_uses ADD COLUMN refusal TEXT;

-- The operators who have a token of their own for the console. Only the hash of a token is stored, as of a key. The row
-- of a revoked operator is deleted. The audit shows who had a token.
CREATE TABLE operators (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  name       TEXT    NOT NULL UNIQUE,
  role       TEXT    NOT NULL, -- 'editor', or 'viewer' for one who may change nothing
  hash       BLOB    NOT NULL UNIQUE CHECK (length(hash) = 32),
  created_at INTEGER NOT NULL
) STRICT;

-- To find the last backup without reading the audit.
CREATE INDEX audit_of_backups ON audit (id) WHERE action = 'store.backup';
