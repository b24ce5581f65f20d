import { rateLimit } from 'express-rate-limit';
import { DAY_MS, ERRORS, secretOf } from './animals.js';

/** Keys and limits for whatever is built on Express. */
export function guard(app, accountOf) {
  app.use((request, response, next) => {
    const account = accountOf(secretOf(request.headers.authorization));
    if (account === undefined) return response.status(401).json(ERRORS.invalidApiKey);
    response.locals.account = account;
    return next();
  });

  app.use(
    rateLimit({
      windowMs: DAY_MS,
      limit: (_request, response) => response.locals.account.perDay,
      keyGenerator: (_request, response) => response.locals.account.id,
      legacyHeaders: true,
      standardHeaders: false,
      message: ERRORS.rateLimitDay,
    }),
  );
}
