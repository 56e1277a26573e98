#include "vesalius/convert.hpp"

#include "convert/codes.hpp"
#include "convert/level.hpp"
#include "convert/steps.hpp"

namespace vesalius {

Result<Conversion> convert(const Humanoid& source, const MappingTables& tables, const ConvertOptions& options) {
  using namespace convert_detail;
  Diagnostics sink;
  const Profile* from = tables.profile(source.profile);
  const Profile* to = tables.profile(options.to);
  if (from == nullptr || to == nullptr) {
    sink.error(codes::convert_no_mapping, "there is no profile '" + (from == nullptr ? source.profile : options.to) + "' among the tables");
    return {std::nullopt, std::move(sink)};
  }
  if (from == to) return change_level(source, *from, options);
  if (const Mapping* mapping = tables.mapping(from->name, to->name)) return collapse(source, {mapping, from, to}, options);
  if (const Mapping* mapping = tables.mapping(to->name, from->name)) return expand(source, {mapping, to, from}, options);
  sink.error(codes::convert_no_mapping, "no mapping leads from '" + from->name + "' to '" + to->name + "' or back");
  return {std::nullopt, std::move(sink)};
}

}  // namespace vesalius
