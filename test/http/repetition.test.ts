import { expect, test } from 'bun:test';
import { OPERATION_NAMES, OPERATIONS, type Operation } from '#contract/operations.ts';
import { exactBody, startService } from '../support/service.ts';

test.each(OPERATION_NAMES)('%s can be sent twice as its contract says', async (name) => {
  const operation: Operation = OPERATIONS[name];
  const { method, path, body, success, repetition } = operation;
  if (repetition === 'unsafe') return;
  await using service = await startService();
  await service.post({ name: 'Tom', categoryId: 1 });
  const send = async () => {
    const response = await service.call(path.replace('{petId}', '1'), {
      method,
      headers: {
        'Content-Type': 'application/json',
        ...(repetition === 'with-idempotency-key' && { 'Idempotency-Key': 'order-7' }),
      },
      ...(body && { body: JSON.stringify(body.example) }),
    });
    return { status: response.status, body: await exactBody(response) };
  };
  const listPets = async () => exactBody(await service.call('/pets?limit=100'));
  const first = await send();
  expect(first.status).toBe(success.status);
  const pets = await listPets();
  expect(await send()).toEqual(first);
  expect(await listPets()).toEqual(pets);
});
