import type { ComponentType } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { AccountPage } from './account-page.tsx';
import { AccountsPage } from './accounts-page.tsx';
import { AuditPage } from './audit-page.tsx';
import { Brand } from './brand.tsx';
import { Notices } from './notices.tsx';
import { NowPage } from './now-page.tsx';
import { PetsPage } from './pets-page.tsx';
import { linkTo, type Route, useRoute } from './route.ts';
import { useSession } from './session.ts';
import { Empty } from './states.tsx';
import { SunsetPage } from './sunset-page.tsx';
import { type Live, LiveContext, useLiveConnection } from './use-live.ts';

interface Place {
  readonly page: string;
  readonly title: string;
  readonly view: ComponentType<{ route: Route }>;
}

const PLACES: readonly Place[] = [
  { page: 'now', title: 'Now', view: NowPage },
  { page: 'accounts', title: 'Accounts', view: AccountsPage },
  { page: 'pets', title: 'Pets', view: PetsPage },
  { page: 'sunset', title: 'Sunset', view: SunsetPage },
  { page: 'audit', title: 'Audit', view: AuditPage },
];

/** Everything around a page, once the operator has signed in. */
export function Shell({ onSignOut }: { onSignOut: () => void }) {
  const route = useRoute();
  const live = useLiveConnection();
  const { version, environment } = useSession();
  const place = PLACES.find(({ page }) => page === route.page);
  const main = useFocusOnChange(`${route.page}/${route.name ?? ''}`);

  useEffect(() => {
    const product = ['Animal Store', environment, 'console'].filter(Boolean).join(' ');
    document.title = `${route.name ?? place?.title ?? 'Not found'} · ${product}`;
  }, [route.name, place, environment]);

  return (
    <LiveContext.Provider value={live}>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to content
      </button>
      <div class="shell">
        <header class="side">
          <Brand environment={environment} />
          <nav class="menu" aria-label="Pages">
            {PLACES.map(({ page, title }) => (
              <a
                key={page}
                href={linkTo(page)}
                aria-current={page === route.page ? 'page' : undefined}
              >
                {title}
              </a>
            ))}
          </nav>
          <div class="side-foot">
            <ConnectionState connection={live.connection} />
            <span class="quiet version">{version}</span>
            <button type="button" class="plain" onClick={onSignOut}>
              Sign out
            </button>
          </div>
        </header>
        <main id="main" ref={main} tabIndex={-1}>
          <div role="alert">
            {live.connection === 'lost' && (
              <p class="banner bad">Connection lost. The figures below are old. Trying again…</p>
            )}
          </div>
          {page(place, route)}
        </main>
      </div>
      <Notices />
    </LiveContext.Provider>
  );
}

function page(place: Place | undefined, route: Route) {
  if (place === undefined) {
    return (
      <Empty title="This page does not exist">
        <p>
          <a href={linkTo('now')}>Go to Now</a>
        </p>
      </Empty>
    );
  }
  if (place.page === 'accounts' && route.name !== undefined) {
    return <AccountPage key={route.name} name={route.name} />;
  }
  return <place.view route={route} />;
}

const CONNECTION_TEXTS = { connecting: 'Connecting', live: 'Live', lost: 'Disconnected' } as const;

function ConnectionState({ connection }: Pick<Live, 'connection'>) {
  return <span class={`connection ${connection}`}>{CONNECTION_TEXTS[connection]}</span>;
}

/** Moves the focus to a new page, so that a screen reader reads it, but not on the first one. */
function useFocusOnChange(place: string) {
  const main = useRef<HTMLElement>(null);
  const last = useRef(place);
  useEffect(() => {
    if (last.current === place) return;
    last.current = place;
    main.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [place]);
  return main;
}
