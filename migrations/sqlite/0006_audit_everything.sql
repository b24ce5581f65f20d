-- Every change by a command or the console is audited. The operator is the system user that ran the
-- command, or the fingerprint of a token. The account is that of a changed account or key.
ALTER TABLE audit ADD COLUMN operator TEXT NOT NULL DEFAULT '';
ALTER TABLE audit ADD COLUMN account_id INTEGER;

CREATE INDEX audit_by_account ON audit (account_id) WHERE account_id IS NOT NULL;

-- The third trigger is for INSERT OR REPLACE, which deletes a row without the trigger for deletions.
CREATE TRIGGER audit_updated BEFORE UPDATE ON audit
  BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END;
CREATE TRIGGER audit_deleted BEFORE DELETE ON audit
  BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END;
CREATE TRIGGER audit_replaced BEFORE INSERT ON audit WHEN EXISTS (SELECT 1 FROM audit WHERE id = NEW.id)
  BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END;

-- For pages of accounts in the order of their names.
CREATE INDEX accounts_by_name ON accounts (name COLLATE NOCASE);

-- The same with the smallest plan first. A sort of 100,000 accounts would hold up requests for half a second.
CREATE INDEX accounts_by_plan ON accounts ((CASE plan WHEN 'free' THEN 0 WHEN 'pro' THEN 1 WHEN 'business' THEN 2 WHEN 'enterprise' THEN 3 END), name COLLATE NOCASE);
