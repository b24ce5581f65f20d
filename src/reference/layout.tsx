import type { ComponentChildren } from 'preact';
import { API_VERSION } from '../contract/api.ts';
import { API_TITLE } from '../contract/description.ts';
import {
  DOCUMENT,
  ICON,
  LIMITS_PAGE,
  REFERENCE_PAGE,
  SCRIPT,
  SEARCH_INDEX,
  STYLE_SHEET,
  YAML_DOCUMENT,
} from '../contract/page-paths.ts';
import { PLANS } from '../domain/plan.ts';
import { Island } from './island.tsx';
import { KeyField } from './key-field.tsx';
import { Navigation } from './navigation.tsx';
import type { Page } from './page.tsx';
import { relative } from './relative.ts';
import { SearchBox } from './search-box.tsx';

interface LayoutProps {
  readonly title: string;
  readonly summary: string;
  /** Where the reader is. */
  readonly path: string;
  readonly pages: readonly Page[];
  readonly programVersion: string;
  readonly isStaging: boolean;
  readonly children: ComponentChildren;
}

const FIXED_PLANS = Object.values(PLANS).flatMap(({ title, limits }) =>
  limits === undefined ? [] : [[title, limits.perMinute, limits.perDay] as const],
);

/** The frame that all pages share. */
export function Layout(props: LayoutProps) {
  const { title, summary, path, pages, programVersion, isStaging, children } = props;
  const link = (to: string) => relative(path, to);
  const search = { indexHref: link(SEARCH_INDEX), root: link('/') || './' };
  const key = { limitsHref: link(LIMITS_PAGE), plans: FIXED_PLANS };
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
          <button type="button" class="menu" popovertarget="navigation">
            Menu
          </button>
          <a class="brand" href={link(REFERENCE_PAGE)}>
            <img src={link(ICON)} alt="" width="22" height="22" />
            <span>
              Animal Store <span class="quiet">API</span>
            </span>
            {isStaging && <span class="chip staging">staging</span>}
          </a>
          <Island name="search-box" of={SearchBox} props={search} />
        </header>
        <Island name="key-field" of={KeyField} props={key} />
        <div class="frame">
          <nav id="navigation" class="contents" aria-label="Contents" popover="auto">
            <Navigation pages={pages} from={path} />
            <div class="nav-foot">
              <p>
                <a href={link(DOCUMENT)}>openapi.json</a>
                <a href={link(YAML_DOCUMENT)}>openapi.yaml</a>
              </p>
              <dl class="versions">
                <dt>API</dt>
                <dd>{API_VERSION}</dd>
                <dt>Program</dt>
                <dd>{programVersion}</dd>
              </dl>
            </div>
          </nav>
          <main id="main" tabIndex={-1}>
            {children}
          </main>
        </div>
      </body>
    </html>
  );
}

/** The sections of a page, one below the other. */
export function PageContent({ page }: { page: Page }) {
  return (
    <>
      <div class="introduction">
        <h1>{page.title}</h1>
        {page.introduction}
      </div>
      {page.groups.map(({ title, sections }) => (
        <div key={title} class="group">
          {sections.map(({ id, body }) => (
            <section key={id} id={id}>
              {body}
            </section>
          ))}
        </div>
      ))}
    </>
  );
}
