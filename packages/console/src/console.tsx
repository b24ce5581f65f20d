import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { notify } from './dialog.tsx';
import { takeToken } from './route.ts';
import {
  connection,
  type RequestError,
  request,
  SessionContext,
  type SessionFacts,
} from './service.ts';
import { Shell } from './shell.tsx';
import { SignInPage } from './sign-in-page.tsx';

interface State {
  /** Undefined unless the operator is signed in. */
  readonly session?: SessionFacts | undefined;
  /** Why the operator is not signed in, if there is something to say. */
  readonly reason?: string;
}

function App() {
  /** Undefined until the service has responded. */
  const [state, setState] = useState<State>();

  const load = async (reason = '') => {
    await request<SessionFacts>('GET', 'session').then(
      (session) => setState({ session, reason }),
      ({ status, message }: RequestError) =>
        setState({ reason: reason || (status === 401 ? '' : message) }),
    );
  };

  /** Signs in with the token of a link, if the address has one. */
  const followLink = () => {
    const token = takeToken();
    if (token === undefined) return false;
    const signingIn = request('POST', 'session', { token });
    signingIn.then(
      () => load(),
      (error: Error) => load(error.message),
    );
    return true;
  };

  const signOut = () =>
    request('DELETE', 'session').then(
      () => setState({}),
      (error: Error) => notify(`You are still signed in. ${error.message}`),
    );

  useEffect(() => {
    // The token of the link may be wrong while an earlier session is still valid.
    if (state?.session && state.reason) notify(state.reason);
  }, [state]);

  useEffect(() => {
    if (!followLink()) load();
    // The listeners stay for as long as the page is open.
    window.addEventListener('hashchange', followLink);
    connection.addEventListener('signed-out', () =>
      setState({ reason: 'Your session has ended.' }),
    );
  }, []);

  if (state === undefined) return null;
  if (state.session === undefined)
    return <SignInPage reason={state.reason} onSignedIn={() => load()} />;
  return (
    <SessionContext.Provider value={state.session}>
      <Shell onSignOut={signOut} />
    </SessionContext.Provider>
  );
}

const place = document.getElementById('app');
if (place !== null) render(<App />, place);
