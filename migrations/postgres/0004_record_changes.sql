-- What an instance has cached stays valid until a key, an account or a pet is changed or removed. Additions change
-- nothing that an instance may have cached. Each transaction adds a row, instead of counting one up, so that changes do
-- not wait for each other. A restored dump may have left all of this, so it replaces what is there.
CREATE TABLE IF NOT EXISTS recent_changes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  made_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX IF NOT EXISTS recent_changes_by_time ON recent_changes (made_at);

-- It runs with the rights of its owner, because the users of some instances may have rights on older tables only. The
-- setting ends with its transaction. Without it, the removal of many pets would add a row for each of them.
CREATE OR REPLACE FUNCTION record_change() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  IF current_setting('animal_store.recorded', true) = 'yes' THEN
    RETURN NULL;
  END IF;
  PERFORM set_config('animal_store.recorded', 'yes', true);
  DELETE FROM recent_changes WHERE id IN (
    SELECT id FROM recent_changes WHERE made_at < now() - interval '1 minute' FOR UPDATE SKIP LOCKED);
  INSERT INTO recent_changes DEFAULT VALUES;
  RETURN NULL;
END
$$;

-- A text that is different after each change. It is also different on another server, which may lack what was read on
-- the previous one.
CREATE OR REPLACE FUNCTION revision() RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
  SELECT concat_ws(' ', pg_postmaster_start_time(), count(*), sum(id)) FROM recent_changes
$$;

DROP TRIGGER IF EXISTS accounts_changed ON accounts;
CREATE TRIGGER accounts_changed AFTER UPDATE OR DELETE OR TRUNCATE ON accounts EXECUTE FUNCTION record_change();
DROP TRIGGER IF EXISTS api_keys_changed ON api_keys;
CREATE TRIGGER api_keys_changed AFTER UPDATE OR DELETE OR TRUNCATE ON api_keys EXECUTE FUNCTION record_change();
DROP TRIGGER IF EXISTS pets_changed ON pets;
CREATE TRIGGER pets_changed AFTER UPDATE OR DELETE OR TRUNCATE ON pets EXECUTE FUNCTION record_change();
