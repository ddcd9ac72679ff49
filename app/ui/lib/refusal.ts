/** Reason, in a sentence for the person, why what they asked for cannot be done. */
export class Refusal extends Error {}
