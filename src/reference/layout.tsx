import { API_VERSION, DOCUMENT, ICON, REFERENCE_PAGE, SCRIPT, STYLE_SHEET } from '#contract/api.ts';
import { API_TITLE } from '#contract/description.ts';
import { MethodBadge } from './badge.tsx';
import { Island } from './browser/islands.tsx';
import { Blocks } from './markdown.tsx';
import notFound from './pages/not-found.md' with { type: 'text' };
import { parsePage } from './parse-page.tsx';
import {
  calendarDay,
  type Group,
  type Page,
  type Section,
  SectionContent,
  Title,
} from './section.tsx';

interface LayoutProps {
  readonly page: Page;
  /** The address of the service, relative to the page. */
  readonly root: string;
  readonly pages: readonly Page[];
  readonly programVersion: string;
  /** Every page shows it, except in production. */
  readonly environment: string;
}

/** A page, in the frame that all pages share. */
export function Layout({ page, root, pages, programVersion, environment }: LayoutProps) {
  const { path, title, summary, introduction, groups } = page;
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="description" content={summary} />
        <title>{title === API_TITLE ? title : `${title} · ${API_TITLE}`}</title>
        <link rel="service-desc" type="application/json" href={DOCUMENT} />
        {path && <link rel="alternate" type="text/markdown" href={`${path}.md`} />}
        <link rel="icon" href={ICON} type="image/svg+xml" />
        <link rel="stylesheet" href={STYLE_SHEET} />
        <script type="module" src={SCRIPT} />
      </head>
      <body>
        <a class="skip button" href="#main">
          Skip to content
        </a>
        <header class="top">
          <button type="button" class="open-menu secondary" popovertarget="navigation">
            Menu
          </button>
          <a class="brand" href={REFERENCE_PAGE}>
            <img src={ICON} alt="" width="22" height="22" />
            <span>
              Animal Store <span class="quiet">API</span>
            </span>
            {environment !== 'production' && <span class="badge warning">{environment}</span>}
          </a>
          <Island name="search-box" props={{ root }} />
        </header>
        <nav id="navigation" class="menu" aria-label="Contents" popover="auto">
          {pages.map(({ path, groups }) =>
            groups.map((group) =>
              navigationGroup(path, path === page.path, groups.length === 1, group),
            ),
          )}
          <p class="versions note">
            API {API_VERSION}, program {programVersion}
          </p>
        </nav>
        <main id="main" tabIndex={-1}>
          <div class="introduction prose">
            <h1>{title}</h1>
            <Blocks of={introduction} />
          </div>
          {groups.map(({ sections }) =>
            sections.map((section) => <SectionContent section={section} />),
          )}
        </main>
      </body>
    </html>
  );
}

/** One group of the navigation, which is the same on every page except that it marks the current page. */
function navigationGroup(href: string, isCurrent: boolean, isPage: boolean, group: Group) {
  const { title, isLong, sections } = group;
  const links = <ul>{sections.map((section) => navigationLink(href, section))}</ul>;
  return (
    <div>
      {isPage ? (
        <a class="title" href={href} aria-current={isCurrent ? 'page' : undefined}>
          {title}
        </a>
      ) : (
        <p class="title">{title}</p>
      )}
      {isLong ? (
        <details open={isCurrent}>
          <summary>
            {sections.length} {title.toLowerCase()}
          </summary>
          {links}
        </details>
      ) : (
        links
      )}
    </div>
  );
}

function navigationLink(page: string, section: Section) {
  const { id, method, removedAt } = section;
  const title = <Title section={section} />;
  return (
    <li>
      <a href={`${page}#${id}`}>
        {removedAt === undefined ? <span>{title}</span> : <s>{title}</s>}
        {method !== undefined && <MethodBadge method={method} />}
        {removedAt && <span class="note">Removal on {calendarDay(removedAt)}</span>}
      </a>
    </li>
  );
}

/** For a reader who followed a wrong link. */
export const NOT_FOUND_PAGE = parsePage('', notFound, {});
