/** An error whose message tells the operator of the server or command what to do. It is shown without a stack trace. */
export class OperatorError extends Error {}
