/** Decision buttons. `wording` is offered only for texts. */
export const CHOICES = [
  ['yes', 'Approve', 'primary'],
  ['wording', 'Approve with changes', 'ghost'],
  ['changes', 'Request changes', 'ghost'],
  ['no', 'Decline', 'ghost'],
] as const;
