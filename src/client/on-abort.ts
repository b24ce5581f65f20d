type Callback = () => void;

interface Watch {
  readonly callbacks: Set<Callback>;
  readonly onAbort: () => void;
}

/** Node warns of a leak when more than ten listen to one signal, so that one listens for all. */
const watches = new WeakMap<AbortSignal, Watch>();

/** Calls back once the signal is aborted, unless the function it returns is called before. */
export function onAbort(signal: AbortSignal | undefined, callback: Callback): () => void {
  if (signal === undefined) return () => {};
  const { callbacks, onAbort } = watches.get(signal) ?? watch(signal);
  callbacks.add(callback);
  return () => {
    if (!callbacks.delete(callback) || callbacks.size > 0) return;
    signal.removeEventListener('abort', onAbort);
    watches.delete(signal);
  };
}

function watch(signal: AbortSignal): Watch {
  const callbacks = new Set<Callback>();
  const onAbort = () => {
    for (const callback of callbacks) callback();
  };
  signal.addEventListener('abort', onAbort);
  const made = { callbacks, onAbort };
  watches.set(signal, made);
  return made;
}
