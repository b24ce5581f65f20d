-- The last request that was refused with a key, and its error code. last_at is now the last accepted request, or 0 if
-- there is none.
ALTER TABLE key_uses ADD COLUMN refused_at INTEGER;
ALTER TABLE key_uses ADD COLUMN refusal TEXT;
