export type OperationName = 'listPets' | 'createPet' | 'getPet';

/** Codes that any operation can return. */
type SharedErrorCode =
  | 'missing_api_key'
  | 'invalid_api_key'
  | 'expired_api_key'
  | 'revoked_api_key'
  | 'rate_limit_minute'
  | 'rate_limit_day'
  | 'api_key_banned'
  | 'internal_error'
  | 'service_unavailable';

interface OperationErrorCode {
  listPets: 'invalid_parameter';
  createPet:
    | 'malformed_json'
    | 'validation_failed'
    | 'invalid_parameter'
    | 'request_timeout'
    | 'payload_too_large'
    | 'unsupported_media_type'
    | 'idempotency_key_reused';
  getPet: 'pet_not_found' | 'operation_removed';
}

/** The error codes of one operation, or of all of them. */
export type ErrorCode<Name extends OperationName = OperationName> =
  | SharedErrorCode
  | OperationErrorCode[Name];
