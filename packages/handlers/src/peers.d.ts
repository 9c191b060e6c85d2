/** An optional peer, of which one class is used. */
declare module "pg" {
  const pg: {
    readonly Pool: new (options: object) => {
      connect(): Promise<{
        query(text: string, values?: unknown[]): Promise<unknown>;
        release(destroy?: boolean): void;
      }>;
      end(): Promise<void>;
      on(event: "error", listener: () => void): void;
    };
  };
  export default pg;
}
