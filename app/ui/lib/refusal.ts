/** Error with a message for the user. */
export class Refusal extends Error {}
