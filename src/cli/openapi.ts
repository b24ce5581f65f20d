import { Command, Option } from 'commander';
import { documentToJson, documentToYaml, openApiDocument } from '../contract/openapi.ts';
import type { Cli } from './cli.ts';

export function openapiCommand(cli: Cli): Command {
  return new Command('openapi')
    .description('print the OpenAPI document; PUBLIC_URL and STAGING_URL become its servers')
    .addOption(new Option('--json', 'print JSON (the default)').conflicts('yaml'))
    .option('--yaml', 'print YAML')
    .action(async ({ yaml = false }: { yaml?: boolean }) => {
      const { publicUrl, stagingUrl, isStaging } = cli.config;
      const document = isStaging
        ? openApiDocument('staging', { staging: publicUrl ?? stagingUrl })
        : openApiDocument('production', { production: publicUrl, staging: stagingUrl });
      await cli.write(yaml ? documentToYaml(document) : documentToJson(document));
    });
}
