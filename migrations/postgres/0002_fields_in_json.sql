-- Creates the pets of a batch, each once for its idempotency key, if it has one. Returns a row for each, in
-- order: its id and, if an earlier request used the key, the fingerprint of that and the pet, unless it was
-- removed since. The batch is a JSON object, and a pet has a member for each column: neither the argument nor
-- the result changes with the fields of a pet. Version 1.0.0 uses create_pets, which stays.
CREATE FUNCTION add_pets(batch text) RETURNS TABLE (id bigint, fingerprint text, pet text)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  options      json   := batch::json;
  lifetime_ms  bigint := options->>'lifetimeMs';
  now_ms       bigint := extract(epoch FROM now()) * 1000;
  ids          regclass := pg_get_serial_sequence('pets', 'id');
  account_time bigint;
  creation     record;
  added        pets;
BEGIN
  PERFORM lock_creations();
  FOR creation IN SELECT * FROM json_to_recordset(options->'creations') AS given (
    new_pet json, "accountId" integer, key text, fingerprint text, "offsetMs" bigint)
  LOOP
    IF creation.key IS NOT NULL THEN
      -- By the clock of this server: those of instances differ. Only a test clock has an offset.
      account_time := now_ms + creation."offsetMs";
      RETURN QUERY
        SELECT k.pet_id, k.fingerprint, (SELECT row_to_json(p)::text FROM pets AS p WHERE p.id = k.pet_id)
        FROM idempotency_keys AS k
        WHERE k.account_id = creation."accountId" AND k.key = creation.key
          AND k.created_at > account_time - lifetime_ms;
      CONTINUE WHEN FOUND;
    END IF;
    added := json_populate_record(NULL::pets, creation.new_pet);
    added.id := nextval(ids);
    INSERT INTO pets VALUES (added.*);
    id := added.id;
    RETURN NEXT;
    IF creation.key IS NOT NULL THEN
      INSERT INTO idempotency_keys (account_id, key, fingerprint, pet_id, created_at)
        VALUES (creation."accountId", creation.key, creation.fingerprint, added.id, account_time)
        ON CONFLICT (account_id, key) DO UPDATE
          SET fingerprint = excluded.fingerprint, pet_id = excluded.pet_id, created_at = excluded.created_at;
    END IF;
  END LOOP;
  -- A test time must not expire the keys of other accounts.
  DELETE FROM idempotency_keys WHERE (account_id, key) IN (
    SELECT account_id, key FROM idempotency_keys WHERE created_at <= now_ms - lifetime_ms
    ORDER BY created_at LIMIT (options->>'sweptKeys')::integer FOR UPDATE SKIP LOCKED);
END
$$;
