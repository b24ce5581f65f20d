import { describe, expect, test } from 'bun:test';
import { printed, run, runJson, runProcess, runWith, serve } from '../support/command.ts';
import { runProgram } from '../support/programs.ts';
import { newFile } from '../support/temporary-folder.ts';

interface Listed {
  readonly action: string;
  readonly command: string;
  readonly operator: string;
}

const { path, settings: store } = newFile();
const settings = { ...store, SUDO_USER: 'jo' };

/** The store that each change named. */
const named: string[] = [];

/** Each command that changes the store, with the action that the audit shows. */
const CHANGES = [
  ['account.create', 'accounts create shop --plan free'],
  ['account.set-plan', 'accounts set-plan shop --plan pro'],
  ['account.suspend', 'accounts suspend shop --reason unpaid --yes'],
  ['account.resume', 'accounts resume shop'],
  ['key.create', 'keys create shop --label till'],
  ['key.update', 'keys update 2 --label phone'],
  ['key.unban', 'keys unban 2'],
  ['key.rotate', 'keys rotate 2'],
  ['key.revoke', 'keys revoke 2 --yes'],
  ['account.rename', 'accounts rename shop emporium'],
  ['account.create', 'accounts create gone --plan free'],
  ['account.remove', 'accounts remove gone --yes'],
  ['pet.import', 'pets import -'],
  ['pet.import', 'pets seed --count 1'],
  ['pet.set-status', 'pets set-status 1 pending --yes'],
  ['operator.create', 'operators create alice --viewer'],
  ['operator.revoke', 'operators revoke alice'],
  ['pet.remove', 'pets remove 1 --yes'],
] as const;

/** The file for the import below. */
const PET = `{"name":"Big","categoryId":${2n ** 63n - 1n},"status":"sold"}\n`;
const input = () => new Blob([PET]).stream();

{
  await using _first = await serve({ ...settings, USER: 'nobody' });
}
for (const [, line] of CHANGES) {
  const { stdout } = await runWith({ input }, settings, line, '--json');
  named.push(JSON.parse(stdout).store);
}

const list = (line = 'audit'): Promise<Listed[]> => runJson(settings, line);

test('every command that changes a store names it', () => {
  expect(named).toEqual(CHANGES.map(() => path));
});

describe('audit', () => {
  test('has an entry for each command and for the first start, with the newest first', async () => {
    const entries = await list();
    const seen = entries.map(({ action, command, operator }) => [action, command, operator]);
    const made = CHANGES.map(([action, line]) => [action, line.split(' ', 2).join(' '), 'jo']);
    expect(seen.reverse()).toEqual([['account.create', 'serve', 'jo'], ...made]);
  });

  test('shows the values before and after with every digit', async () => {
    const stdout = await printed(settings, 'audit --json');
    const [removed] = JSON.parse(stdout) as Listed[];
    expect(removed).toMatchObject({
      subject: 'pet 1',
      old: { id: 1, status: 'pending' },
      new: null,
    });
    expect(stdout).toContain('"categoryId":9223372036854775807,');
    expect(await printed(settings, 'audit')).toContain('category: 9223372036854775807');
  });

  test('shows the entries of one account and its keys, under its current name', async () => {
    const entries = await list('audit --account emporium');
    expect(entries.map(({ action }) => action).reverse()).toEqual(
      CHANGES.filter(([, line]) => !/^(pets|operators)| gone/.test(line)).map(([action]) => action),
    );
  });

  test('can be filtered by time, by who made the change, and by words of the action', async () => {
    const all = await list();
    const actionsOf = async (filter: string) => {
      const entries = await list(`audit ${filter}`);
      return entries.map(({ action }) => action);
    };
    expect(await list('audit --since 0s')).toEqual([]);
    expect(await list('audit --until 1d')).toEqual([]);
    expect(await list('audit --operator joe')).toEqual([]);
    expect(await list('audit --since 2026-01-31 --until 0s --operator jo')).toEqual(all);
    expect(await actionsOf('--action Revoke')).toEqual(['operator.revoke', 'key.revoke']);
    expect(await actionsOf('--action set-plan --account emporium')).toEqual(['account.set-plan']);
    expect(await actionsOf('--action account:rename')).toEqual(['account.rename']);
  });

  test('prints a table of the newest changes', async () => {
    const stdout = await printed(settings, 'audit --limit 5');
    expect(stdout.trimEnd().split('\n')).toHaveLength(6);
    const all = await run(settings, 'audit --account emporium');
    expect(all.stderr).toBe('');
    expect(all.stdout).toMatch(
      /account\.set-plan +account "shop" +jo +accounts set-plan +plan: free → pro, .*per day: 1,000 → 10,000/,
    );
    expect(all.stdout).toMatch(/key 2 of "shop" +jo .*successor: none → 3/);
    expect(all.stdout).toContain('suspension reason: unpaid → none');
  });
});

test('the operator is the system user, whatever USER says', async () => {
  const plain = { ...store, USER: 'someone-else' };
  const line = 'accounts create plain --plan free';
  expect((await runProcess(plain, line)).stderr).toBe(`Store: ${path}\n`);
  const [entry] = await list('audit --account plain');
  const id = runProgram('id', '-un').trim();
  expect(entry?.operator).toBe(id);
});
