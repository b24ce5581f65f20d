import { render } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, connection, request, type Session } from './api.ts';
import { takeToken } from './route.ts';
import { SessionContext } from './session.ts';
import { Shell } from './shell.tsx';
import { SignInPage } from './sign-in-page.tsx';
import { Empty } from './states.tsx';

/** Tells the other tabs, which share the session, that it began or ended. */
const tabs = new BroadcastChannel('session');

const ENDED = 'Your session has ended.';

type State =
  | { readonly is: 'starting' }
  | { readonly is: 'signed-in'; readonly session: Session }
  | { readonly is: 'signed-out'; readonly error?: ApiError; readonly notice?: string }
  | { readonly is: 'failed'; readonly error: ApiError };

function App() {
  const [state, setState] = useState<State>({ is: 'starting' });
  const isSignedIn = useRef(false);
  isSignedIn.current = state.is === 'signed-in';

  const load = useCallback(async () => {
    try {
      setState({ is: 'signed-in', session: await request<Session>('GET', 'session') });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const notice = isSignedIn.current ? ENDED : '';
      if (error.status === 401) setState({ is: 'signed-out', notice });
      else if (error.status === 429) setState({ is: 'signed-out', error });
      // The page that is open says that the connection is lost.
      else if (!isSignedIn.current) setState({ is: 'failed', error });
    }
  }, []);

  const signIn = useCallback(
    async (token: string) => {
      try {
        await request('POST', 'session', { token });
        tabs.postMessage('signed in');
        await load();
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        setState({ is: 'signed-out', error });
      }
    },
    [load],
  );

  const signOut = useCallback(async () => {
    await request('DELETE', 'session').catch(() => undefined);
    tabs.postMessage('signed out');
    setState({ is: 'signed-out', notice: 'You are signed out.' });
  }, []);

  useEffect(() => {
    const expire = () => setState({ is: 'signed-out', notice: ENDED });
    const followLink = () => {
      const token = takeToken();
      if (token !== undefined) signIn(token);
      return token !== undefined;
    };
    if (!followLink()) load();
    connection.addEventListener('signed-out', expire);
    connection.addEventListener('recovered', load);
    tabs.addEventListener('message', load);
    window.addEventListener('hashchange', followLink);
    return () => {
      connection.removeEventListener('signed-out', expire);
      connection.removeEventListener('recovered', load);
      tabs.removeEventListener('message', load);
      window.removeEventListener('hashchange', followLink);
    };
  }, [load, signIn]);

  switch (state.is) {
    case 'starting':
      return null;
    case 'signed-out':
      return <SignInPage error={state.error} notice={state.notice} onSignIn={signIn} />;
    case 'failed':
      return (
        <main class="alone">
          <Empty title="The console could not start">
            <p>{state.error.message}</p>
            <button type="button" onClick={load}>
              Try again
            </button>
          </Empty>
        </main>
      );
    case 'signed-in':
      return (
        <SessionContext.Provider value={state.session}>
          <Shell onSignOut={signOut} />
        </SessionContext.Provider>
      );
  }
}

const place = document.getElementById('app');
if (place !== null) render(<App />, place);
