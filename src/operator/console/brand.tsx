import type { Session } from './api.ts';
import { Badge } from './marks.tsx';

/** `environment` is set on staging, and once the operator has signed in. */
export function Brand({ environment }: Pick<Session, 'environment'>) {
  return (
    <p class="brand">
      <img src="icon.svg" alt="" width="20" height="20" />
      <span>
        Animal Store <span class="quiet">console</span>
        {environment !== undefined && (
          <>
            <br />
            <Badge tone="warning">{environment}</Badge>
          </>
        )}
      </span>
    </p>
  );
}
