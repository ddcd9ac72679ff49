import { Layers } from 'lucide-react';
import { lazy } from 'react';
import { servicesKind } from '../../data/services-editing.ts';
import { defineScreen } from '../content/screen.ts';

export const servicesScreen = defineScreen({
  kind: servicesKind,
  path: 'services',
  heading: 'Services',
  one: 'service',
  many: 'services',
  loadingText: 'Loading...',
  icon: Layers,
  titleColumn: 'title',
  card: (service) => ({ facts: [service.timeline, service.pricing] }),
  Fields: lazy(() => import('./service-fields.tsx')),
});
