//! Tables as Parquet, without Arrow.

use crate::table::{Data, Table};
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;
use std::sync::Arc;

/// A table as the bytes of a file.
pub(crate) fn write(table: &Table) -> Result<Vec<u8>, ParquetError> {
    let fields = table.columns.iter().map(|column| {
        let (physical, logical) = match column.data {
            Data::Text(_) => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
            Data::Whole(_) => (Physical::INT64, None),
            Data::Number(_) => (Physical::DOUBLE, None),
        };
        let field = Type::primitive_type_builder(&column.name, physical);
        field.with_repetition(Repetition::OPTIONAL).with_logical_type(logical).build().map(Arc::new)
    });
    let fields = fields.collect::<Result<Vec<_>, _>>()?;
    let schema = Type::group_type_builder("runs").with_fields(fields).build()?;
    let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
    let mut bytes = Vec::new();
    let mut file = SerializedFileWriter::new(&mut bytes, Arc::new(schema), Arc::new(properties))?;
    let mut group = file.next_row_group()?;
    for column in &table.columns {
        match &column.data {
            Data::Text(values) => {
                column_of::<ByteArrayType, _>(&mut group, values, |text| ByteArray::from(text.as_str()))?;
            }
            Data::Whole(values) => column_of::<Int64Type, _>(&mut group, values, |value| *value)?,
            Data::Number(values) => column_of::<DoubleType, _>(&mut group, values, |value| *value)?,
        }
    }
    group.close()?;
    file.close()?;
    Ok(bytes)
}

fn column_of<T: DataType, V>(
    group: &mut SerializedRowGroupWriter<'_, &mut Vec<u8>>,
    values: &[Option<V>],
    convert: impl Fn(&V) -> T::T,
) -> Result<(), ParquetError> {
    let Some(mut column) = group.next_column()? else { return Ok(()) };
    let there: Vec<T::T> = values.iter().flatten().map(convert).collect();
    let levels: Vec<i16> = values.iter().map(|value| i16::from(value.is_some())).collect();
    column.typed::<T>().write_batch(&there, Some(&levels), None)?;
    column.close()
}
