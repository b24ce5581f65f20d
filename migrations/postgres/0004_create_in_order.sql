-- Whoever creates pets holds this lock until the commit, so pets become visible in the order of their ids:
-- a reader that continues after the last id it has seen misses none. The number is arbitrary.
CREATE FUNCTION lock_creations() RETURNS void
LANGUAGE sql AS 'SELECT pg_advisory_xact_lock(8017263)';

-- The commit of the transaction waits for the disk and for synchronous standbys. Never less, whatever the
-- server's setting is or becomes meanwhile. A SET clause would end with its function, before the commit.
CREATE FUNCTION commit_durably() RETURNS void
LANGUAGE sql AS $$
  SELECT set_config('synchronous_commit',
    CASE current_setting('synchronous_commit') WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END, true)
$$;

-- Creates the pets of a batch, each once for its idempotency key, if it has one. Returns a row for each, in
-- order. A replayed one has the fingerprint of its first request, and no name if the pet was removed since.
CREATE FUNCTION create_pets(
  names text[], category_ids bigint[], statuses text[],
  account_ids integer[], keys text[], fingerprints text[], offsets_ms bigint[],
  lifetime interval, swept_keys integer
) RETURNS TABLE (id bigint, name text, category_id bigint, status text, replayed_fingerprint text)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  account_time timestamptz;
BEGIN
  PERFORM commit_durably();
  PERFORM lock_creations();
  FOR place IN 1 .. cardinality(names) LOOP
    IF keys[place] IS NOT NULL THEN
      -- By the clock of this server: those of instances differ. Only a test clock has an offset.
      account_time := now() + offsets_ms[place] * interval '1 millisecond';
      RETURN QUERY
        SELECT k.pet_id, p.name, p.category_id, p.status, k.fingerprint
        FROM idempotency_keys AS k LEFT JOIN pets AS p ON p.id = k.pet_id
        WHERE k.account_id = account_ids[place] AND k.key = keys[place]
          AND k.created_at > account_time - lifetime;
      CONTINUE WHEN FOUND;
    END IF;
    INSERT INTO pets AS p (name, category_id, status)
      VALUES (names[place], category_ids[place], statuses[place])
      RETURNING p.id, p.name, p.category_id, p.status INTO id, name, category_id, status;
    RETURN NEXT;
    IF keys[place] IS NOT NULL THEN
      INSERT INTO idempotency_keys (account_id, key, fingerprint, pet_id, created_at)
        VALUES (account_ids[place], keys[place], fingerprints[place], id, account_time)
        ON CONFLICT (account_id, key) DO UPDATE
          SET fingerprint = excluded.fingerprint, pet_id = excluded.pet_id, created_at = excluded.created_at;
    END IF;
  END LOOP;
  -- A test time must not expire the keys of other accounts.
  DELETE FROM idempotency_keys WHERE (account_id, key) IN (
    SELECT account_id, key FROM idempotency_keys
    WHERE created_at <= now() - lifetime ORDER BY created_at LIMIT swept_keys FOR UPDATE SKIP LOCKED);
END
$$;
