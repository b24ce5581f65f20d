import { rateLimit } from 'express-rate-limit';
import { DAY_MS, ERRORS, keyFrom } from './pets.js';

/** Keys and limits for servers that are built on Express. */
export function guard(app, accountOf) {
  app.use((request, response, next) => {
    const account = accountOf(keyFrom(request.headers.authorization));
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
