import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keyOf } from '../measure/fixture.ts';
import type { Settings } from './contender.ts';

/** The command line of a process that sends one fixed response to requests with one key, and a 401 to all others. */
export function nginx({ PORT, FOLDER, RESPONSE }: Settings): string[] {
  const { headers, body } = JSON.parse(RESPONSE);
  const { 'content-type': contentType, ...others } = headers;
  const lines = Object.entries(others).map(([name, value]) => `add_header ${name} '${value}';`);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const file = join(FOLDER, 'nginx.conf');
  const configuration = `
daemon off;
master_process off;
pid ${FOLDER}/nginx.pid;
error_log /dev/null;
events {}
http {
  access_log off;
  keepalive_requests 1000000000;
  ${temporary.map((name) => `${name}_temp_path ${FOLDER};`).join(' ')}
  server {
    listen 127.0.0.1:${PORT};
    default_type ${contentType};
    location / {
      ${lines.join(' ')}
      if ($http_authorization != 'Bearer ${keyOf(1)}') { return 401; }
      return 200 '${body}';
    }
  }
}
`;
  writeFileSync(file, configuration);
  return ['nginx', '-c', file];
}
