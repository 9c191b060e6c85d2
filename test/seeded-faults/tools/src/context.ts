export interface HutContext {
  readonly warden: string;
  readonly radio: unknown;
}
