import { expect, test } from 'bun:test';
import { changeInWords } from '../../../src/domain/operator/change-in-words.ts';

const ENTRY = {
  id: 1,
  createdAtMs: 0,
  action: 'a',
  subject: 's',
  command: 'c',
  operator: 'o',
  accountId: null,
};

test.each([
  ['{"plan":"free","id":1}', '{"plan":"pro","id":1}', 'plan: free → pro'],
  ['{"suspensionReason":"unpaid"}', '{"suspensionReason":""}', 'suspension reason: unpaid → none'],
  ['{"successorId":null}', '{"successorId":2,"successor":{"id":2}}', 'successor: none → 2'],
  [
    null,
    '{"id":7,"name":"Rex","categoryId":9223372036854775807,"createdAt":"x"}',
    'name: Rex, category: 9223372036854775807',
  ],
  [
    null,
    '{"file":"/a","counts":{"pet":2,"key":1,"auditEntry":0}}',
    'file: /a, counts: 2 pets, 1 key, 0 audit entries',
  ],
  ['{"id":7,"name":"Rex"}', null, 'name: Rex'],
])('the change from %p to %p is %p', (oldValue, newValue, words) => {
  expect(changeInWords({ ...ENTRY, oldValue, newValue })).toBe(words);
});
