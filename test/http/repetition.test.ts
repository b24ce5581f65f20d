import { expect, test } from 'bun:test';
import { OPERATIONS, type Operation } from '#contract/operations.ts';
import { exactBody, REX, startService } from '../support/service.ts';

test.each(Object.entries<Operation>(OPERATIONS))(
  '%s can be sent twice as its contract says',
  async (_, operation) => {
    if (operation.repetition === 'unsafe') return;
    await using service = await startService();
    await service.post(REX);
    const isKeyed = operation.repetition === 'with-idempotency-key';
    const headers = isKeyed ? { 'Idempotency-Key': 'order-7' } : {};
    const send = async () => {
      const response = await service.send(operation, { headers });
      return { status: response.status, body: await exactBody(response) };
    };
    const listPets = async () => exactBody(await service.call('/pets?limit=100'));
    const first = await send();
    expect(first.status).toBe(operation.success.status);
    const pets = await listPets();
    expect(await send()).toEqual(first);
    expect(await listPets()).toEqual(pets);
  },
);
