export interface RawResponse {
  readonly status: number;
  /** False for the responses that the runtime sends without asking the service. */
  readonly isOurs: boolean;
}

/** No body has a line that looks like this. */
const HEAD = /HTTP\/1\.1 (\d{3}) [^\r\n]*\r\n((?:[^\r\n]+\r\n)*)\r\n/g;

/** The final responses in what was received, one byte to each character. */
export function responsesIn(received: string): readonly RawResponse[] {
  return [...received.matchAll(HEAD)]
    .map(([, status, headers = '']) => ({
      status: Number(status),
      isOurs: /^x-request-id:/im.test(headers),
    }))
    .filter(({ status }) => status >= 200);
}
