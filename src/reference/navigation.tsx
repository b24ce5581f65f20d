import { calendarDay } from './calendar-day.ts';
import { MethodChip, StatusChip } from './chips.tsx';
import type { Group, Page, Section } from './page.tsx';
import { relative } from './relative.ts';

interface NavigationProps {
  readonly pages: readonly Page[];
  /** The path of the page that it is on. */
  readonly from: string;
}

/** The sections of all pages. It is the same on each page, apart from the mark on the current one. */
export function Navigation({ pages, from }: NavigationProps) {
  return (
    <>
      {pages.map((page) =>
        page.groups.map((group) => (
          <NavigationGroup key={group.title} page={page} group={group} from={from} />
        )),
      )}
    </>
  );
}

interface GroupProps {
  readonly page: Page;
  readonly group: Group;
  readonly from: string;
}

function NavigationGroup({ page, group, from }: GroupProps) {
  const href = relative(from, page.path);
  const isCurrent = page.path === from;
  const entries = (
    <ul>
      {group.sections.map((section) => (
        <li key={section.id}>
          <NavigationLink href={`${href}#${section.id}`} section={section} />
        </li>
      ))}
    </ul>
  );
  const isWholePage = page.groups.length === 1;
  return (
    <div class="nav-group">
      {isWholePage ? (
        <a class="nav-title" href={href} aria-current={isCurrent ? 'page' : undefined}>
          {group.title}
        </a>
      ) : (
        <p class="nav-title">{group.title}</p>
      )}
      {group.isLong ? (
        <details open={isCurrent}>
          <summary>
            {group.sections.length} {group.title.toLowerCase()}
          </summary>
          {entries}
        </details>
      ) : (
        entries
      )}
    </div>
  );
}

function NavigationLink({ href, section }: { href: string; section: Section }) {
  const { method, status, removedAt } = section;
  return (
    <a class="nav-link" href={href}>
      {status !== undefined && <StatusChip status={status} />}
      <Title {...section} />
      {method !== undefined && <MethodChip method={method} />}
      {removedAt !== undefined && <span class="nav-note">Removal on {calendarDay(removedAt)}</span>}
    </a>
  );
}

function Title({ title, isCode, removedAt }: Section) {
  if (removedAt !== undefined) return <s>{title}</s>;
  return isCode ? <code>{title}</code> : <span>{title}</span>;
}
