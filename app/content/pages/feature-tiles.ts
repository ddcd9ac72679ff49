import { z } from 'zod';

/** `icon` is an icon name from ui/content-icon. */
const tileSchema = z.object({ icon: z.string(), title: z.string(), description: z.string() });

export const featureTilesSchema = z.object({ heading: z.string(), tiles: z.array(tileSchema) });

export type FeatureTiles = z.infer<typeof featureTilesSchema>;

export const featureTilesDefaults: FeatureTiles = {
  heading: 'How we work',
  tiles: [
    {
      icon: 'shield',
      title: 'Your domains, your data',
      description: 'Everything runs in accounts that you own and keep.',
    },
    {
      icon: 'inbox',
      title: 'Inbox first',
      description: 'Authentication, warm-up and volume limits before the first send.',
    },
    {
      icon: 'radar',
      title: 'Signals, not lists',
      description: 'Companies are contacted when something happened, not because they exist.',
    },
    {
      icon: 'pen',
      title: 'Written by people',
      description: 'Models draft and vary; a person in your market decides what is sent.',
    },
    {
      icon: 'split',
      title: 'Small tests',
      description: 'Each idea goes to fifty contacts before it goes to five thousand.',
    },
    {
      icon: 'plug',
      title: 'In your CRM',
      description: 'HubSpot, Pipedrive, Salesforce: replies and leads land where you work.',
    },
    {
      icon: 'chart',
      title: 'Plain numbers',
      description: 'Meetings and pipeline each week. Open rates are not a result.',
    },
    {
      icon: 'lock',
      title: 'GDPR by design',
      description: 'Legitimate interest documented, opt-outs honoured within the minute.',
    },
  ],
};
