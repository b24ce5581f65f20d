-- Every change by a command or the console is audited. The operator is the system user that ran the
-- command, or the fingerprint of a token. The account is that of a changed account or key.
ALTER TABLE audit
  ADD COLUMN operator   text NOT NULL DEFAULT '',
  ADD COLUMN account_id integer;

CREATE INDEX audit_by_account ON audit (account_id, id) WHERE account_id IS NOT NULL;

CREATE FUNCTION refuse_audit_change() RETURNS trigger
LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'the audit is append-only'; END $$;

CREATE TRIGGER audit_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON audit
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();

-- For pages of accounts in the order of their names.
CREATE INDEX accounts_by_name ON accounts (lower(name));

-- The same with the smallest plan first.
CREATE INDEX accounts_by_plan ON accounts ((CASE plan WHEN 'free' THEN 0 WHEN 'pro' THEN 1 WHEN 'business' THEN 2 WHEN 'enterprise' THEN 3 END), lower(name));
