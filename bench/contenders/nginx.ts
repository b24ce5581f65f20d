/** One process that sends one response to requests with this key, and a 401 to all others. */
export function nginxConfiguration(
  folder: string,
  port: string,
  key: string,
  response: { readonly headers: Record<string, string>; readonly body: string },
): string {
  const { 'content-type': contentType, ...others } = response.headers;
  const headers = Object.entries(others).map(([name, value]) => `add_header ${name} '${value}';`);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
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
  ${temporary.map((name) => `${name}_temp_path ${folder};`).join(' ')}
  map $http_authorization $is_known { default 0; 'Bearer ${key}' 1; }
  server {
    listen 127.0.0.1:${port};
    default_type ${contentType};
    location / {
      ${headers.join(' ')}
      if ($is_known = 0) { return 401; }
      return 200 '${response.body}';
    }
  }
}
`;
}
