import type { ComponentType } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { AccountsPage } from './accounts-page.tsx';
import { AuditPage } from './audit-page.tsx';
import { DeprecationsPage } from './deprecations-page.tsx';
import { closeDialog, Overlay } from './dialog.tsx';
import { capitalize } from './format.tsx';
import { KeysPage } from './keys-page.tsx';
import { Brand } from './marks.tsx';
import { NowPage } from './now-page.tsx';
import { PetsPage } from './pets-page.tsx';
import { RequestsPage } from './requests-page.tsx';
import { linkTo, useRoute } from './route.ts';
import { type LiveSamples, useLiveConnection, useSession } from './service.ts';

/** The pages of the menu, by the first part of their address. */
const PAGES = new Map<string, ComponentType<{ live: LiveSamples }>>([
  ['now', NowPage],
  ['requests', RequestsPage],
  ['accounts', AccountsPage],
  ['keys', KeysPage],
  ['pets', PetsPage],
  ['deprecations', DeprecationsPage],
  ['audit', AuditPage],
]);

/** The menu and the frame around a page, once the operator has signed in. */
export function Shell({ onSignOut }: { onSignOut: () => void }) {
  const route = useRoute();
  const live = useLiveConnection();
  const { environment, operator } = useSession();
  const Page = PAGES.get(route.page) ?? NowPage;
  const title = route.name ?? capitalize(route.page);
  const main = useFocusOnChange(`${route.page}/${route.name ?? ''}`);

  useEffect(() => {
    const shown = environment === 'production' ? '' : `${environment} `;
    document.title = `${title} · Animal Store ${shown}console`;
  }, [title, environment]);

  return (
    <>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to content
      </button>
      <div class={`shell ${operator.role}`}>
        <header class="side">
          <Brand environment={environment} />
          <nav class="menu" aria-label="Pages">
            {Array.from(PAGES.keys(), (page) => (
              <a
                key={page}
                href={linkTo(page)}
                aria-current={page === route.page ? 'page' : undefined}
              >
                {capitalize(page)}
              </a>
            ))}
          </nav>
          <div class="sign-out">
            <span class="sub">
              Signed in as {operator.name}
              {operator.role === 'viewer' && ', a viewer'}
            </span>
            <button type="button" class="plain" onClick={onSignOut}>
              Sign out
            </button>
          </div>
        </header>
        <main id="main" class={route.page} ref={main} tabIndex={-1}>
          <div role="alert">
            {live.isLost && (
              <p class="banner">Connection lost. The figures below are old. Trying again…</p>
            )}
          </div>
          <Page live={live} />
        </main>
      </div>
      <Overlay />
    </>
  );
}

/** Moves the focus to each new page, so that a screen reader reads it. The first page is left alone. */
function useFocusOnChange(place: string) {
  const main = useRef<HTMLElement>(null);
  const last = useRef(place);
  useEffect(() => {
    if (last.current === place) return;
    last.current = place;
    closeDialog();
    main.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [place]);
  return main;
}
