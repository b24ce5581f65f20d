import { API_PREFIX, API_VERSION } from '../contract/api.ts';
import { API_TITLE } from '../contract/description.ts';
import {
  ERRORS_PAGE,
  ICON,
  LIMITS_PAGE,
  REFERENCE_PAGE,
  SCRIPT,
  STYLE_SHEET,
} from '../contract/page-paths.ts';
import { PLANS } from '../domain/plan.ts';
import { Island } from './browser/islands.tsx';
import { calendarDay, MethodBadge, relative } from './prose.tsx';
import { ErrorTitle, type Group, type Page, type Section, SectionContent } from './section.tsx';

interface LayoutProps {
  readonly page: Page;
  readonly pages: readonly Page[];
  readonly programVersion: string;
  readonly isStaging: boolean;
}

const FIXED_PLANS = Object.values(PLANS).flatMap(({ title, limits }) =>
  limits === undefined ? [] : [[title, limits.perMinute, limits.perDay] as const],
);

/** A page, in the frame that all pages share. */
export function Layout({ page, pages, programVersion, isStaging }: LayoutProps) {
  const { path, title, summary, introduction, groups } = page;
  const link = (to: string) => relative(path, to);
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="description" content={summary} />
        <title>{title === API_TITLE ? title : `${title} · ${API_TITLE}`}</title>
        <link rel="icon" href={link(ICON)} type="image/svg+xml" />
        <link rel="stylesheet" href={link(STYLE_SHEET)} />
        <script type="module" src={link(SCRIPT)} />
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to content
        </a>
        <header class={isStaging ? 'top on-staging' : 'top'}>
          <button type="button" class="open-menu secondary" popovertarget="navigation">
            Menu
          </button>
          <a class="brand" href={link(REFERENCE_PAGE)}>
            <img src={link(ICON)} alt="" width="22" height="22" />
            <span>
              Animal Store <span class="quiet">API</span>
            </span>
            {isStaging && <span class="badge warning">staging</span>}
          </a>
          <Island name="search-box" props={{ root: link('/') || './' }} />
        </header>
        <Island name="key-field" props={{ limitsHref: link(LIMITS_PAGE), plans: FIXED_PLANS }} />
        <div class="frame">
          <nav id="navigation" class="menu" aria-label="Contents" popover="auto">
            {pages.map((page) =>
              page.groups.map((group) => (
                <NavigationGroup key={group.title} page={page} group={group} from={path} />
              )),
            )}
            <dl class="versions">
              <dt>API</dt>
              <dd>{API_VERSION}</dd>
              <dt>Program</dt>
              <dd>{programVersion}</dd>
            </dl>
          </nav>
          <main id="main" tabIndex={-1}>
            <div class="introduction">
              <h1>{title}</h1>
              {introduction}
            </div>
            {groups.map(({ sections }) =>
              sections.map((section) => <SectionContent key={section.id} section={section} />),
            )}
          </main>
        </div>
      </body>
    </html>
  );
}

interface NavigationGroupProps {
  readonly page: Page;
  readonly group: Group;
  /** The path of the page that it is on. */
  readonly from: string;
}

/** It is the same on each page, apart from the mark on the current one. */
function NavigationGroup({ page, group, from }: NavigationGroupProps) {
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
    <div>
      {isWholePage ? (
        <a class="title" href={href} aria-current={isCurrent ? 'page' : undefined}>
          {group.title}
        </a>
      ) : (
        <p class="title">{group.title}</p>
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
  const { title, status, method, removedAt } = section;
  return (
    <a href={href}>
      {status === undefined ? (
        removedAt === undefined ? (
          <span>{title}</span>
        ) : (
          <s>{title}</s>
        )
      ) : (
        <ErrorTitle status={status} code={title} />
      )}
      {method !== undefined && <MethodBadge method={method} />}
      {removedAt !== undefined && <span class="note">Removal on {calendarDay(removedAt)}</span>}
    </a>
  );
}

/** For a reader who followed a wrong link. */
export function notFoundPage(path: string): Page {
  const introduction = (
    <>
      <p class="lead">
        There is nothing at this address. The API is under <code>{API_PREFIX}</code>. Search, or
        start here:
      </p>
      <ul>
        <li>
          <a href={relative(path, REFERENCE_PAGE)}>The reference</a>, with a quickstart
        </li>
        <li>
          <a href={relative(path, ERRORS_PAGE)}>Every error</a>, and what to do about it
        </li>
        <li>
          <a href={relative(path, LIMITS_PAGE)}>The limits</a> of each plan
        </li>
      </ul>
    </>
  );
  const title = 'This page does not exist';
  return { path, title, summary: title, introduction, groups: [] };
}
