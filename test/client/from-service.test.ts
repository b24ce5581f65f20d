import { describe, expect, test } from 'bun:test';
import { isFromService } from '../../packages/client/src/from-service.ts';
import { receivedResponse } from './received-response.ts';

const LIMITS = {
  'X-RateLimit-Limit': '60',
  'X-RateLimit-Remaining': '7',
  'X-RateLimit-Reset': '9',
};
const NOT_FOUND = '{"code":"pet_not_found","message":"The pet does not exist.","status":404}';
const REX = '{"id":1,"name":"Rex","categoryId":2}';

describe('a response', () => {
  test.each([
    [200, LIMITS, ''],
    [500, LIMITS, ''],
    [404, {}, NOT_FOUND],
    [200, {}, '[]'],
    [201, {}, REX],
    [429, {}, 'slow down'],
    [503, { 'Retry-After': '5' }, 'busy'],
  ])('%d with %j and the body "%s" is from the service', (status, headers, body) => {
    expect(isFromService(receivedResponse(status, headers as Record<string, string>, body))).toBe(
      true,
    );
  });

  test.each([
    [502, {}, ''],
    [503, {}, 'busy'],
    [403, {}, NOT_FOUND],
    [403, {}, '{"message":"Forbidden"}'],
    [200, {}, '<h1>Log in</h1>'],
    [200, {}, '{"error":"slow down"}'],
    [404, {}, REX],
  ])('%d with %j and the body "%s" is not', (status, headers, body) => {
    expect(isFromService(receivedResponse(status, headers as Record<string, string>, body))).toBe(
      false,
    );
  });
});
