import type { CapturedAnswer } from './contender.ts';

/** One process that sends one answer to whoever has the key, and 401 to all others. */
export function nginxConfiguration(
  folder: string,
  port: number,
  secret: string,
  { status, headers, body }: CapturedAnswer,
): string {
  const { 'content-type': contentType = 'application/json', ...others } = headers;
  const lines = Object.entries(others).map(
    ([name, value]) => `add_header ${name} ${quote(value)};`,
  );
  return `
daemon off;
master_process off;
pid ${folder}/nginx.pid;
error_log /dev/null;
events {}
http {
  access_log off;
  map_hash_bucket_size 128;
  keepalive_requests 1000000000;
  client_body_temp_path ${folder};
  proxy_temp_path ${folder};
  fastcgi_temp_path ${folder};
  uwsgi_temp_path ${folder};
  scgi_temp_path ${folder};
  map $http_authorization $is_known {
    default 0;
    ${quote(`Bearer ${secret}`)} 1;
  }
  server {
    listen 127.0.0.1:${port};
    default_type ${contentType};
    location / {
      ${lines.join('\n      ')}
      if ($is_known = 0) { return 401; }
      return ${status} ${quote(body)};
    }
  }
}
`;
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
