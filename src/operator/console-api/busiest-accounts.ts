import type {
  AccountPage,
  AccountQuery,
  AccountStore,
} from '../../domain/operator/account-store.ts';
import { Fresh } from './fresh.ts';
import type { RecentUse } from './recent-use.ts';

const PART = 1_000;
const FRESH_MS = 30_000;

type BusiestQuery = Omit<AccountQuery, 'sort'>;

/** Accounts in the order of their requests in the last 30 days. */
export class BusiestAccounts {
  readonly #accounts: AccountStore;
  readonly #recentUse: RecentUse;
  readonly #now: () => number;
  /** For the next page of the same search. */
  #last: { readonly search: string | undefined; readonly ids: Fresh<number[]> } | undefined;

  constructor(accounts: AccountStore, recentUse: RecentUse, now: () => number) {
    this.#accounts = accounts;
    this.#recentUse = recentUse;
    this.#now = now;
  }

  async find({ search, descending, offset, limit }: BusiestQuery): Promise<AccountPage> {
    const ids = await this.#idsFor(search);
    const ordered = descending ? ids : ids.toReversed();
    const page = ordered.slice(offset, offset + limit);
    const found = new Map((await this.#accounts.getAccounts(page)).map((each) => [each.id, each]));
    const accounts = page.flatMap((id) => found.get(id) ?? []);
    return { total: ids.length, accounts };
  }

  #idsFor(search: string | undefined): Promise<number[]> {
    if (this.#last === undefined || this.#last.search !== search) {
      this.#last = { search, ids: new Fresh(FRESH_MS, this.#now, () => this.#read(search)) };
    }
    return this.#last.ids.get();
  }

  /** In parts, so that a service with very many accounts goes on in between. The busiest come first. */
  async #read(search: string | undefined): Promise<number[]> {
    const { byAccount } = await this.#recentUse.totals();
    const ids: number[] = [];
    for (let total = 1; ids.length < total; ) {
      const part = { search, sort: 'created', descending: false, limit: PART } as const;
      const page = await this.#accounts.findAccounts({ ...part, offset: ids.length });
      if (page.accounts.length === 0) break;
      ids.push(...page.accounts.map(({ id }) => id));
      total = page.total;
      await new Promise(setImmediate);
    }
    const requests = (id: number) => byAccount.get(id) ?? 0;
    return ids.sort((a, b) => requests(b) - requests(a) || a - b);
  }
}
