/** Error with a message for the user. */
export class UserError extends Error {}
