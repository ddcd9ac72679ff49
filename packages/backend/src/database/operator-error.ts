/** Reason, in a sentence for the person who runs the server or a command, why what they asked for cannot be done. */
export class OperatorError extends Error {}
