import { API_PREFIX } from '../contract/api.ts';
import { ERRORS_PAGE, LIMITS_PAGE, REFERENCE_PAGE } from '../contract/page-paths.ts';
import { relative } from './relative.ts';

/** For a reader who followed a wrong link. */
export function NotFoundPage({ from }: { from: string }) {
  return (
    <div class="introduction">
      <h1>This page does not exist</h1>
      <p class="lead">
        There is nothing at this address. The API is under <code>{API_PREFIX}</code>. Search, or
        start here:
      </p>
      <ul>
        <li>
          <a href={relative(from, REFERENCE_PAGE)}>The reference</a>, with a quickstart
        </li>
        <li>
          <a href={relative(from, ERRORS_PAGE)}>Every error</a>, and what to do about it
        </li>
        <li>
          <a href={relative(from, LIMITS_PAGE)}>The limits</a> of each plan
        </li>
      </ul>
    </div>
  );
}
