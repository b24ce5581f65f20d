import { useEffect, useState } from 'preact/hooks';

const SHOWN_MS = 5_000;
const notices = new EventTarget();

/** Says that a change was made, for the eye and for a screen reader. */
export function announce(message: string): void {
  notices.dispatchEvent(new CustomEvent('notice', { detail: message }));
}

export function Notices() {
  const [message, setMessage] = useState('');
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = (event: Event) => {
      setMessage((event as CustomEvent<string>).detail);
      clearTimeout(timer);
      timer = setTimeout(() => setMessage(''), SHOWN_MS);
    };
    notices.addEventListener('notice', show);
    return () => {
      clearTimeout(timer);
      notices.removeEventListener('notice', show);
    };
  }, []);
  return (
    <div class="notices" role="status">
      {message !== '' && <p>{message}</p>}
    </div>
  );
}
